# Called by the standard interface packages after project(): ends the build of one that the sourced ROS already has.
macro(leave_to_installed_ros)
  find_package(${PROJECT_NAME} QUIET)
  string(FIND "${${PROJECT_NAME}_DIR}" "${CMAKE_INSTALL_PREFIX}/" own_place)
  if(${PROJECT_NAME}_FOUND AND NOT own_place EQUAL 0)
    message(STATUS "${PROJECT_NAME}: taken from ${${PROJECT_NAME}_DIR}")
    return()
  endif()
endmacro()
