// Steps a scene with DART as Gazebo uses it: ODE's collision detector, Dantzig's solver.
// Usage: dart_driver SCENE; the format of scenes and of the answers is told in scene.py.

#include <ctime>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <dart/collision/ode/ode.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dart.hpp>

// Keeps the skeleton alive that the body is part of.
using dart::dynamics::BodyNodePtr;
using Eigen::Vector3d;

struct Shape {
  std::string kind;
  std::vector<double> sizes;
};

struct Body {
  std::string name;
  Vector3d position;
  double mass;
  Vector3d moments;
  Shape shape;
};

struct Joint {
  std::string name, parent, child;
  Vector3d anchor, axis;
  double stiffness, damping, reference;
};

struct Scene {
  double step_secs = 0.001;
  double friction = 1.0;
  Vector3d gravity{0, 0, -9.8};
  std::vector<Body> bodies;
  std::vector<Joint> joints;
};

static Vector3d read_vector(std::istream& words) {
  Vector3d read;
  words >> read[0] >> read[1] >> read[2];
  return read;
}

static void read_line(Scene& scene, std::istream& words, const std::string& kind) {
  if (kind == "step") {
    words >> scene.step_secs;
  } else if (kind == "friction") {
    words >> scene.friction;
  } else if (kind == "gravity") {
    scene.gravity = read_vector(words);
  } else if (kind == "body") {
    Body body;
    words >> body.name;
    body.position = read_vector(words);
    words >> body.mass;
    body.moments = read_vector(words);
    words >> body.shape.kind;
    for (double size; words >> size;) body.shape.sizes.push_back(size);
    scene.bodies.push_back(body);
  } else if (kind == "joint") {
    Joint joint;
    words >> joint.name >> joint.parent >> joint.child;
    joint.anchor = read_vector(words);
    joint.axis = read_vector(words);
    words >> joint.stiffness >> joint.damping >> joint.reference;
    scene.joints.push_back(joint);
  }
}

static Scene read_scene(const char* path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(std::string("cannot read ") + path);
  Scene scene;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string kind;
    if (words >> kind) read_line(scene, words, kind);
  }
  return scene;
}

static dart::dynamics::ShapePtr make_shape(const Shape& shape) {
  using namespace dart::dynamics;
  const auto& sizes = shape.sizes;
  if (shape.kind == "box") return std::make_shared<BoxShape>(Vector3d(sizes[0], sizes[1], sizes[2]));
  if (shape.kind == "sphere") return std::make_shared<SphereShape>(sizes[0]);
  return std::make_shared<CylinderShape>(sizes[0], sizes[1]);
}

// The frame of a body is its centre of mass, as in the scene.
static void dress(const BodyNodePtr& node, const Body& body, double friction) {
  dart::dynamics::Inertia inertia(
      body.mass, Vector3d::Zero(), body.moments.asDiagonal().toDenseMatrix());
  node->setInertia(inertia);
  if (body.shape.kind == "none") return;
  auto* shape = node->createShapeNodeWith<
      dart::dynamics::CollisionAspect, dart::dynamics::DynamicsAspect>(make_shape(body.shape));
  shape->getDynamicsAspect()->setFrictionCoeff(friction);
  shape->getDynamicsAspect()->setRestitutionCoeff(0.0);
}

static BodyNodePtr add_free(const Body& body, double friction) {
  auto skeleton = dart::dynamics::Skeleton::create(body.name);
  skeleton->disableSelfCollisionCheck();
  auto made = skeleton->createJointAndBodyNodePair<dart::dynamics::FreeJoint>();
  dress(made.second, body, friction);
  Eigen::Vector6d place = Eigen::Vector6d::Zero();
  place.tail<3>() = body.position;
  made.first->setPositions(place);
  return made.second;
}

static BodyNodePtr add_held(
    const BodyNodePtr& parent, const Vector3d& parent_position, const Body& body, const Joint& joint) {
  dart::dynamics::RevoluteJoint::Properties properties;
  properties.mName = joint.name;
  // Without names it remarks on standard output that all are called the same.
  dart::dynamics::BodyNode::Properties named;
  named.mName = body.name;
  properties.mAxis = joint.axis;
  properties.mT_ParentBodyToJoint.translation() = joint.anchor - parent_position;
  properties.mT_ChildBodyToJoint.translation() = joint.anchor - body.position;
  auto skeleton = parent ? parent->getSkeleton() : dart::dynamics::Skeleton::create(body.name);
  skeleton->disableSelfCollisionCheck();
  auto made = skeleton->createJointAndBodyNodePair<dart::dynamics::RevoluteJoint>(
      parent.get(), properties, named);
  made.first->setSpringStiffness(0, joint.stiffness);
  made.first->setRestPosition(0, joint.reference);
  made.first->setDampingCoefficient(0, joint.damping);
  return made.second;
}

struct World {
  dart::simulation::WorldPtr world;
  std::vector<BodyNodePtr> bodies;
};

static void add_ground(const dart::simulation::WorldPtr& world, double friction) {
  auto ground = dart::dynamics::Skeleton::create("ground");
  auto* node = ground->createJointAndBodyNodePair<dart::dynamics::WeldJoint>().second;
  auto plane = std::make_shared<dart::dynamics::PlaneShape>(Vector3d::UnitZ(), 0.0);
  auto* shape = node->createShapeNodeWith<
      dart::dynamics::CollisionAspect, dart::dynamics::DynamicsAspect>(plane);
  shape->getDynamicsAspect()->setFrictionCoeff(friction);
  shape->getDynamicsAspect()->setRestitutionCoeff(0.0);
  world->addSkeleton(ground);
}

static World build(const Scene& scene) {
  World made{dart::simulation::World::create(), {}};
  made.world->setTimeStep(scene.step_secs);
  made.world->setGravity(scene.gravity);
  made.world->getConstraintSolver()->setCollisionDetector(
      dart::collision::OdeCollisionDetector::create());
  add_ground(made.world, scene.friction);
  std::map<std::string, const Body*> bodies;
  std::map<std::string, BodyNodePtr> nodes;
  std::map<std::string, const Joint*> holds;
  for (const auto& body : scene.bodies) bodies[body.name] = &body;
  for (const auto& joint : scene.joints) holds[joint.child] = &joint;
  for (const auto& body : scene.bodies)
    if (!holds.count(body.name)) nodes[body.name] = add_free(body, scene.friction);
  for (const auto& joint : scene.joints) {
    const bool on_world = joint.parent == "world";
    const BodyNodePtr parent = on_world ? BodyNodePtr() : nodes.at(joint.parent);
    const Vector3d place = on_world ? Vector3d(Vector3d::Zero()) : bodies.at(joint.parent)->position;
    nodes[joint.child] = add_held(parent, place, *bodies.at(joint.child), joint);
    dress(nodes[joint.child], *bodies.at(joint.child), scene.friction);
  }
  for (const auto& body : scene.bodies) {
    const auto& node = nodes.at(body.name);
    made.bodies.push_back(node);
    if (!node->getParentBodyNode()) made.world->addSkeleton(node->getSkeleton());
  }
  return made;
}

static double cpu_micros() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

static void print_positions(const World& world) {
  std::cout << "{\"positions\": [";
  const char* between = "";
  for (const auto& body : world.bodies) {
    const Vector3d place = body->getWorldTransform().translation();
    std::cout << between << "[" << place[0] << ", " << place[1] << ", " << place[2] << "]";
    between = ", ";
  }
  std::cout << "]}" << std::endl;
}

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: dart_driver SCENE\n";
    return 2;
  }
  World world = build(read_scene(arguments[1]));
  std::cout.precision(17);
  std::cout << "{\"engine\": \"DART " << DART_VERSION << "\"}" << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string verb;
    long steps = 0;
    words >> verb >> steps;
    if (verb == "step") {
      const double start = cpu_micros();
      for (long step = 0; step < steps; ++step) world.world->step();
      std::cout << "{\"cpu_us\": " << cpu_micros() - start << "}" << std::endl;
    } else if (verb == "state") {
      print_positions(world);
    } else {
      break;
    }
  }
  return 0;
}
